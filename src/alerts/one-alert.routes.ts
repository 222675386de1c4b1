import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AlertChange, AlertRecord, ByAlert, DeletedAlert, ForceQuery, toAlertRecord } from './alerts.schema.ts'
import { type AlertsElsewhere } from './alerts-elsewhere.ts'
import { type AlertService } from './alerts.service.ts'

/** `/alert/{alert_uuid}`: changes and deletes one alert, registered or one-off. */
export function oneAlertRoutes(
  alerts: AlertService,
  elsewhere: Pick<AlertsElsewhere, 'findOneOff' | 'listPending'>,
): FastifyPluginAsyncZod {
  /** A one-off alert is only where its process is. */
  async function aboutProcess({ account, params }: FastifyRequest): Promise<string | undefined> {
    const { data } = ByAlert.safeParse(params)
    return data && elsewhere.findOneOff(account.id, data.alert_uuid)
  }

  return async (app) => {
    const tags = ['Alerts']

    app.patch(
      '/alert/:alert_uuid',
      {
        config: { aboutProcess },
        schema: {
          tags,
          summary: 'Change an alert; what is left out stays as it is',
          description:
            'A configuration field that is sent replaces the whole field. Running pipelines keep the old configuration (`pending`) until their next launch; with `force` they are launched anew at once.',
          params: ByAlert,
          querystring: ForceQuery,
          body: AlertChange,
          response: { 200: AlertRecord },
        },
      },
      async (request) => {
        const { force, type: _type, ...change } = request.body
        const isForced = force ?? request.query.force ?? false
        const alert = await alerts.change(request.account, request.params.alert_uuid, change, isForced)
        const isPending = alerts.isPending(alert) || (await elsewhere.listPending(alert.accountId)).has(alert.id)
        return toAlertRecord(alert, isPending, change.output)
      },
    )

    app.delete(
      '/alert/:alert_uuid',
      {
        config: { urgentWork: 'removal', aboutProcess },
        schema: {
          tags,
          summary: 'Stop an alert everywhere and delete it for good',
          params: ByAlert,
          response: { 200: DeletedAlert },
        },
      },
      async (request) => {
        const { alert_uuid: id } = request.params
        await alerts.remove(request.account, id)
        return { uuid: id, alert_uuid: id, deleted: true as const }
      },
    )
  }
}
