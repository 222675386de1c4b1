/**
 * The page with the stream's name in it. Its links are relative, as many steps up as the address has below the
 * service's root, so that the page works below any prefix that a proxy gives the service.
 */
export function renderPlayerPage(template: string, path: string, address: string): string {
  const below = address.slice(address.indexOf('/webrtc/') + 1)
  const root = '../'.repeat(below.split('/').length - 1)
  // A media path has no character that means anything in HTML.
  return template.replaceAll('{{root}}', root).replaceAll('{{path}}', path)
}
