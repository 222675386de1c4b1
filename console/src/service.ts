import { createClient } from '@aerie/client'

/** The service below which this page was loaded, whatever prefix a proxy gives it. */
export const root = new URL('.', location.href.split('#')[0]).href.replace(/\/$/, '')
export const api = createClient(root)
