import { z } from 'zod'

/** A URL of a web server that is to be called. */
export const HttpUrl = z
  .string()
  .trim()
  .max(2000)
  .superRefine((text, context) => {
    const message = whyNotHttpUrl(text)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Undefined when it is one. */
export function whyNotHttpUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text))
    return 'Write a URL that begins with http:// or https://, as in https://example.org/hook.'
  return URL.canParse(text) && new URL(text).hostname !== ''
    ? undefined
    : 'This is not a URL; write it as in https://example.org/hook.'
}
