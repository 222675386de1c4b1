import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Preferences, PreferencesChange } from './preferences.schema.ts'
import { MAX_PREFERENCES, MAX_VALUE_BYTES, type PreferenceService } from './preferences.service.ts'

/** Room for as many as may be, each as large as it may be. */
const BODY_LIMIT = 2 * MAX_PREFERENCES * MAX_VALUE_BYTES

/** `/preferences`: what the pages of a key keep, always the caller's own. */
export function preferenceRoutes(preferences: PreferenceService): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Sessions']

    app.get(
      '/preferences',
      { schema: { tags, summary: 'What your pages keep here', response: { 200: Preferences } } },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return preferences.list(request.account)
      },
    )

    app.patch(
      '/preferences',
      {
        bodyLimit: BODY_LIMIT,
        schema: {
          tags,
          summary: `Keep something for your pages: up to ${MAX_PREFERENCES} values of ${MAX_VALUE_BYTES / 1024} kB`,
          body: PreferencesChange,
          response: { 200: Preferences },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return preferences.change(request.account, request.body)
      },
    )
  }
}
