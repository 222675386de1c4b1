import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { ByProcess } from '../core/request-fields.ts'
import {
  ActiveAlertRecord,
  ActiveAlertsQuery,
  AlertRecord,
  AlertsQuery,
  NewAlert,
  OneOffAlertRecord,
  toActiveRecord,
  toAlertRecord,
} from './alerts.schema.ts'
import { type AlertsElsewhere } from './alerts-elsewhere.ts'
import { type AlertService } from './alerts.service.ts'

export interface AlertRouteDeps {
  readonly alerts: AlertService
  readonly elsewhere: AlertsElsewhere
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/alert`, `/alerts`, `/active/alerts`: analyses of what processes see, and their outputs. */
export function alertRoutes({ alerts, elsewhere, owners }: AlertRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Alerts']

    app.post(
      '/alert',
      {
        schema: {
          tags,
          summary: 'Register an alert for all processes, running and to come',
          body: NewAlert,
          response: { 201: AlertRecord },
        },
      },
      async (request, reply) => {
        const alert = await alerts.create(request.account, request.body)
        return reply.code(201).send(toAlertRecord(alert, false, request.body.output))
      },
    )

    app.post(
      '/alert/:process_uuid',
      {
        schema: {
          tags,
          summary: 'Add a one-off alert that lives with one process',
          params: ByProcess,
          body: NewAlert,
          response: { 201: OneOffAlertRecord },
        },
      },
      async (request, reply) => {
        const { process_uuid } = request.params
        const alert = await alerts.createOneOff(request.account, process_uuid, request.body)
        return reply.code(201).send({ ...toAlertRecord(alert, false, request.body.output), process_uuid })
      },
    )

    app.get(
      '/alerts',
      {
        schema: {
          tags,
          summary: 'List registered alerts, active or not',
          querystring: AlertsQuery,
          response: { 200: z.array(AlertRecord) },
        },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await alerts.list(owner, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        const pending = await elsewhere.listPending(owner.id)
        return items.map((alert) => toAlertRecord(alert, alerts.isPending(alert) || pending.has(alert.id)))
      },
    )

    app.get(
      '/active/alerts',
      {
        schema: {
          tags,
          summary: 'List active alerts, each with every process that it is at',
          querystring: ActiveAlertsQuery,
          response: { 200: z.array(ActiveAlertRecord) },
        },
      },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const [rows, others] = await Promise.all([alerts.listActive(owner), elsewhere.listActive(owner.id)])
        const records = [...rows.map(toActiveRecord), ...others]
        // Newest alerts first, wherever they are.
        return records.sort((one, other) => (one.uuid < other.uuid ? 1 : one.uuid > other.uuid ? -1 : 0))
      },
    )
  }
}
