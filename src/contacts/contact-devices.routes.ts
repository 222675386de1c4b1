import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AddedDevice, ByContact, ByDevice, DeletedDevice, NewDevice, PushKey } from './contacts.schema.ts'
import { type ContactService } from './contacts.service.ts'

export interface DeviceRouteDeps {
  readonly contacts: Pick<ContactService, 'addDevice' | 'removeDevice'>
  /** By which browsers know who may push to them. */
  readonly pushKey: string
}

/** `/contact/…/device`, `/push_key`: the browsers of a contact by web push. */
export function contactDeviceRoutes({ contacts, pushKey }: DeviceRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Contacts']

    app.post(
      '/contact/:contact_uuid/device',
      {
        schema: {
          tags,
          summary: 'Add a browser to a contact by web push; the same one again is the same device',
          params: ByContact,
          body: NewDevice,
          response: { 201: AddedDevice },
        },
      },
      async (request, reply) => {
        const { id } = await contacts.addDevice(request.account, request.params.contact_uuid, request.body)
        return reply.code(201).send({ device_uuid: id })
      },
    )

    app.delete(
      '/contact/:contact_uuid/device/:device_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Take a browser away from a contact',
          params: ByDevice,
          response: { 200: DeletedDevice },
        },
      },
      async (request) => {
        const { contact_uuid, device_uuid } = request.params
        await contacts.removeDevice(request.account, contact_uuid, device_uuid)
        return { device_uuid, deleted: true as const }
      },
    )

    app.get(
      '/push_key',
      {
        schema: {
          tags,
          summary: 'The key by which browsers know who may push to them',
          response: { 200: PushKey },
        },
      },
      async () => ({ public_key: pushKey }),
    )
  }
}
