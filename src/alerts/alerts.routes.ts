import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import {
  ActiveAlertRecord,
  ActiveAlertsQuery,
  AlertChange,
  AlertRecord,
  AlertsQuery,
  ByAlert,
  ByProcess,
  DeletedAlert,
  DescriptionQuery,
  ForceQuery,
  NewAlert,
  OneOffAlertRecord,
  toAlertRecord,
} from './alerts.schema.ts'
import { type AlertService } from './alerts.service.ts'
import { alertTypes } from './analyses/kinds.ts'
import { AlertDescription, describeAlert } from './descriptions.ts'

export interface AlertRouteDeps {
  readonly alerts: AlertService
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/alert`, `/alerts`, `/active/alerts`: analyses of what processes see, and who is told. */
export function alertRoutes({ alerts, owners }: AlertRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Alerts']

    app.get(
      '/alert_description',
      {
        schema: {
          tags,
          summary: 'What a type of alert does, how it is set up and what it tells',
          querystring: DescriptionQuery,
          response: { 200: z.union([AlertDescription, z.array(AlertDescription)]) },
        },
      },
      async (request) => {
        const name = request.query.alert_name ?? request.query.name
        return name ? describeAlert(name) : alertTypes.map(describeAlert)
      },
    )

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
        return reply.code(201).send(toAlertRecord(alert, false))
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
        return reply.code(201).send({ ...toAlertRecord(alert, false), process_uuid })
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
        return items.map((alert) => toAlertRecord(alert, alerts.isPending(alert)))
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
        const rows = await alerts.listActive(owner)
        return rows.map(({ alert, process, isPending, problem }) => ({
          ...toAlertRecord(alert, isPending),
          process_uuid: process.processId,
          source_uuid: process.sourceId,
          one_off: alert.processId !== null,
          problem,
        }))
      },
    )

    app.patch(
      '/alert/:alert_uuid',
      {
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
        return toAlertRecord(alert, alerts.isPending(alert))
      },
    )

    app.delete(
      '/alert/:alert_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Stop an alert everywhere and delete it for good',
          params: ByAlert,
          response: { 200: DeletedAlert },
        },
      },
      async (request) => {
        await alerts.remove(request.account, request.params.alert_uuid)
        return { uuid: request.params.alert_uuid, deleted: true as const }
      },
    )
  }
}
