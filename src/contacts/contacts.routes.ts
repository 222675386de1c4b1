import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import {
  ByContact,
  ContactChange,
  ContactRecord,
  ContactsQuery,
  DeletedContact,
  NewContact,
  TestedContact,
  toContactRecord,
} from './contacts.schema.ts'
import { type ContactService } from './contacts.service.ts'

export interface ContactRouteDeps {
  readonly contacts: ContactService
  /** The account whose contacts are requested: the caller's own, or a child of it. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/contact`, `/contacts`: people's own channels, which alerts name as outputs. */
export function contactRoutes({ contacts, owners }: ContactRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Contacts']

    app.post(
      '/contact',
      {
        schema: {
          tags,
          summary: 'Register a contact: e-mail, ntfy, Telegram, or web push to browsers',
          body: NewContact,
          response: { 201: ContactRecord },
        },
      },
      async (request, reply) => {
        const contact = await contacts.create(request.account, request.body)
        return reply.code(201).send(toContactRecord(contact))
      },
    )

    app.get(
      '/contacts',
      {
        schema: {
          tags,
          summary: 'List contacts',
          querystring: ContactsQuery,
          response: { 200: z.array(ContactRecord) },
        },
      },
      async (request, reply) => {
        const owner = await owners.resolve(request.account, request.query.username)
        const { items, nextCursor } = await contacts.list(owner, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map(toContactRecord)
      },
    )

    app.get(
      '/contact/:contact_uuid',
      {
        schema: {
          tags,
          summary: 'One contact',
          params: ByContact,
          querystring: OwnerQuery,
          response: { 200: ContactRecord },
        },
      },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        return toContactRecord(await contacts.find(owner, request.params.contact_uuid))
      },
    )

    app.patch(
      '/contact/:contact_uuid',
      {
        schema: {
          tags,
          summary: 'Change a contact; what waits to be sent goes by what it is then',
          params: ByContact,
          body: ContactChange,
          response: { 200: ContactRecord },
        },
      },
      async (request) =>
        toContactRecord(await contacts.change(request.account, request.params.contact_uuid, request.body)),
    )

    app.delete(
      '/contact/:contact_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Remove a contact that no alert names',
          params: ByContact,
          response: { 200: DeletedContact },
        },
      },
      async (request) => {
        const { contact_uuid } = request.params
        await contacts.remove(request.account, contact_uuid)
        return { contact_uuid, deleted: true as const }
      },
    )

    app.post(
      '/contact/:contact_uuid/test',
      {
        schema: {
          tags,
          summary: 'Send a test now, whatever the quiet hours are',
          params: ByContact,
          response: { 200: TestedContact },
        },
      },
      async (request) => {
        const { hasArrived, problem } = await contacts.test(request.account, request.params.contact_uuid)
        return { delivered: hasArrived, problem }
      },
    )
  }
}
