import { ask } from '../ask.ts'
import { api, root } from '../service.ts'

/** Why this browser cannot be pushed to; empty where it can. */
export function whyNoPush(): string {
  if (!isSecureContext) return 'Browsers take pushed messages over HTTPS only; open the console by its https address.'
  if (!('serviceWorker' in navigator) || !('PushManager' in window))
    return 'This browser takes no pushed messages here; on an iPhone add the console to the home screen first.'
  return ''
}

/** Has this browser show what the contact is notified of. */
export async function addThisDevice(contactId: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser shows no notifications of this page; allow them in its settings.')
  const registration = await navigator.serviceWorker.register(`${root}/sw.js`)
  await navigator.serviceWorker.ready
  const { public_key } = await ask(api.GET('/push_key'))
  const subscription = await subscribe(registration.pushManager, bytesOf(public_key))
  const { endpoint = '', keys } = subscription.toJSON()
  await ask(
    api.POST('/contact/{contact_uuid}/device', {
      params: { path: { contact_uuid: contactId } },
      body: { name: nameOfBrowser(), endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } },
    }),
  )
}

/** One that was made for another key, as of a service that was set up anew, is no good any more. */
async function subscribe(
  manager: PushManager,
  applicationServerKey: Uint8Array<ArrayBuffer>,
): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const known = await manager.getSubscription()
    if (!known) throw error
    await known.unsubscribe()
    return manager.subscribe(options)
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function nameOfBrowser(): string {
  const agent = navigator.userAgent
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? 'Browser'
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0]
  return system ? `${browser} on ${system}` : browser
}
