/** What to do about an address that could not be opened, by the words of whoever tried; empty when nothing is known. */
export function adviceFor(message: string): string {
  if (/401|unauthorized|user and (a )?password/i.test(message))
    return 'Give the right user and password: rtsp://user:password@host/path. Those of an Aerie are a username and its key.'
  // What FFmpeg makes of every refusal by RTMP.
  if (/not permitted/i.test(message))
    return 'Nothing is sent to that path, or it needs a secret that is missing or wrong; an Aerie takes rtmp://host/path?api_key=KEY.'
  if (/404|not found/i.test(message)) return 'Nothing is sent to that path; check it, and that the sender is running.'
  if (/refused/i.test(message)) return 'Nothing listens there; check host and port.'
  if (/timed out|timeout|no route/i.test(message)) return 'The host did not answer in time; check the network.'
  if (/invalid data/i.test(message)) return 'It is not a video, or it is damaged.'
  return ''
}
