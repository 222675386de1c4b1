import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { DescriptionQuery } from './alerts.schema.ts'
import { alertTypes } from './analyses/kinds.ts'
import { AlertDescription, describeAlert } from './descriptions.ts'

/** `/alert_description`: what each type of alert does and how it is set up. */
export function alertDescriptionRoutes(): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/alert_description',
      {
        schema: {
          tags: ['Alerts'],
          summary: 'What a type of alert does, how it is set up and what it tells',
          querystring: DescriptionQuery,
          response: { 200: z.union([AlertDescription, z.array(AlertDescription)]) },
        },
      },
      async (request) => {
        const name = request.query.alert_name ?? request.query.name
        return name ? describeAlert(name) : alertTypes.map(describeAlert)
      },
    )
  }
}
