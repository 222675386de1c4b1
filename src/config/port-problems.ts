import { type Settings } from './settings.ts'

/** What is wrong with the ports together, each of which is right by itself. */
export function portProblems(settings: Settings): string[] {
  const hasCertificate = Boolean(settings.AERIE_TLS_CERT)
  const { AERIE_HTTP_REDIRECT_PORT: redirect } = settings
  const problems = hasCertificate ? [] : (['RTSP', 'RTMP'] as const).flatMap((name) => withoutAny(name, settings))
  if (!hasCertificate && redirect !== 'off') {
    const advice = 'set AERIE_TLS_CERT and AERIE_TLS_KEY too, or leave it out'
    problems.push(`AERIE_HTTP_REDIRECT_PORT: without a certificate there is no HTTPS to redirect to; ${advice}`)
  }
  return [...problems, ...sharedPorts(settings, hasCertificate)]
}

function withoutAny(name: 'RTSP' | 'RTMP', settings: Settings): string[] {
  if (settings[`AERIE_${name}_PORT`] !== 'off') return []
  const advice = 'set AERIE_TLS_CERT and AERIE_TLS_KEY, or give a port'
  return [`AERIE_${name}_PORT: off leaves no ${name} at all, since ${name}S needs a certificate; ${advice}`]
}

const ALWAYS = ['AERIE_HTTP_PORT', 'AERIE_RTSP_PORT', 'AERIE_RTMP_PORT', 'AERIE_WEBRTC_PORT'] as const
const WITH_CERTIFICATE = ['AERIE_HTTP_REDIRECT_PORT', 'AERIE_RTSPS_PORT', 'AERIE_RTMPS_PORT'] as const

/** Otherwise the second one would report that another program uses it. */
function sharedPorts(settings: Settings, hasCertificate: boolean): string[] {
  const names = [...ALWAYS, ...(hasCertificate ? WITH_CERTIFICATE : [])]
  return names.flatMap((name, at) => {
    const port = settings[name]
    const first = names.slice(0, at).find((other) => settings[other] === port)
    if (first === undefined || port === 'off' || port === 0) return []
    return [`${first} and ${name}: both are ${port}; give each a port of its own`]
  })
}
