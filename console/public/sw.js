/**
 * The console's service worker: shows what is pushed, and opens what it is about. It answers no requests and keeps nothing, so that
 * the console is always the service's own.
 */

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, text, image, url, tag } = readPayload(event.data)
  const options = { body: text, tag, icon: 'icon-192.png', data: { url }, ...(image && { image }) }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

/** What cannot be read is shown all the same: browsers take the right to push from who shows nothing. */
function readPayload(data) {
  try {
    const { title, text, image, url, tag } = data.json()
    return { title: String(title), text: String(text), image, url, tag: String(tag) }
  } catch {
    return { title: 'Aerie', text: 'There is something new.', tag: 'aerie' }
  }
}

/** The video of an event; of what has none the console, in the window that it is in already. */
async function open(url) {
  if (url) return self.clients.openWindow(url)
  const [shown] = await self.clients.matchAll({ type: 'window' })
  return shown ? shown.focus() : self.clients.openWindow('./')
}
