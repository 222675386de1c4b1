import { z } from 'zod'

const NO_CONTROL = 'must have no control characters and no line breaks'

/** Text of one line, as it goes into headers. */
export const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), NO_CONTROL)

/** The ports at which what is asked for may be; below 1024 there are services that nobody should reach by us. */
export function isAllowedPort(port: number, wellKnown: readonly number[]): boolean {
  return wellKnown.includes(port) || port >= 1024
}

/** `origin`, without anything that would be sent along unseen. */
export const serverUrl = (example: string) =>
  z
    .string()
    .trim()
    .max(500)
    .superRefine((text, context) => {
      const message = whyNotServer(text, example)
      if (message) context.addIssue({ code: 'custom', message })
    })

function whyNotServer(text: string, example: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return `Write the address of the server, as in ${example}.`
  const url = new URL(text)
  if (url.username || url.password) return 'Leave the login out of the address; it has fields of its own.'
  if (url.search || url.hash || url.pathname !== '/') return `Write it without a path, as in ${example}.`
  return isAllowedPort(portOf(url), [80, 443]) ? undefined : 'A port is 80, 443, or from 1024 on.'
}

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

export const hostOfUrl = (field: string, text: string) => {
  const url = new URL(text)
  return { path: field, hostname: url.hostname, port: portOf(url) }
}
