/** What to do about an address that could not be opened, by the words of whoever tried; empty when nothing is known. */
export function adviceFor(message: string): string {
  if (/401|unauthorized|user and (a )?password/i.test(message))
    return 'Give the right user and password: rtsp://user:password@host/path. Those of an Aerie are a username and its key.'
  if (/404|not found/i.test(message)) return 'Nothing is sent to that path; check it, and that the sender is running.'
  if (/refused/i.test(message)) return 'Nothing listens there; check host and port.'
  if (/timed out|timeout|no route/i.test(message)) return 'The host did not answer in time; check the network.'
  return ''
}
