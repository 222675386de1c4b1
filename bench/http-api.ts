import autocannon from 'autocannon'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, ms } from './benchmark.ts'

export const httpApi: Benchmark = {
  name: 'http-api',
  title: 'HTTP API',
  about:
    '100 connections with a child key ask `GET /user_info` (a key check and a balance, two reads of the database) for 10 s as fast as they can.',
  async run() {
    const installation = createInstallation()
    try {
      const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
      const created = await service.call('POST', '/keys', { body: { username: 'pilot' } })
      const { key } = (await created.json()) as { key: string }
      const headers = { api_key: key }
      const result = await autocannon({ url: `${service.url}/user_info`, connections: 100, duration: 10, headers })
      const failed = result.errors + result.timeouts + result.non2xx
      return [
        { what: 'errors', value: `${failed} of ${result.requests.total}`, goal: 'none', isMet: failed === 0 },
        { what: 'requests a second', value: result.requests.average.toFixed(0) },
        { what: 'p50', value: ms(result.latency.p50) },
        { what: 'p99', value: ms(result.latency.p99) },
      ]
    } finally {
      await installation.remove()
    }
  },
}
