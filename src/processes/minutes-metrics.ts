import { type Metrics } from '../observe/metrics.ts'
import { type MinutesWatch } from './minutes-watch.ts'

export function addMinutesMetrics(
  metrics: Pick<Metrics, 'addGauge'>,
  watch: Pick<MinutesWatch, 'listForecasts'>,
  aliasOf: (processId: string) => string,
): void {
  metrics.addGauge({
    name: 'aerie_keys_low_on_minutes',
    help: 'Keys whose minutes last less than a day if what runs now goes on.',
    labels: [],
    read() {
      const low = watch.listForecasts().filter(({ forecast }) => forecast.isLow)
      return [{ labels: {}, value: new Set(low.map(({ accountId }) => accountId)).size }]
    },
  })
  metrics.addGauge({
    name: 'aerie_process_minutes_last_seconds',
    help: 'How long the minutes of its key last if what runs now goes on; not of unlimited keys.',
    labels: ['process_uuid', 'alias'],
    read: () =>
      watch.listForecasts().flatMap(({ processId, forecast: { lastsSeconds } }) => {
        return lastsSeconds === null
          ? []
          : [{ labels: { process_uuid: processId, alias: aliasOf(processId) }, value: lastsSeconds }]
      }),
  })
}
