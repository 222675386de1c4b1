import { type FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'

/** A route that takes no query or no body refuses one, so that a misspelt parameter is told instead of ignored. */
export function addStrictInput(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const { schema, config } = request.routeOptions
    if (request.is404 || !schema || schema.hide) return
    const unknown = [
      ...(schema.querystring ? [] : namesOf('querystring', request.query)),
      ...(schema.body || config.documentedBody ? [] : namesOf('body', request.body)),
    ]
    if (unknown.length === 0) return
    const errors = unknown.map((path) => ({ path, message: 'There is no such field.' }))
    throw new AppError('input-invalid', {}, { errors })
  })
}

function namesOf(where: string, given: unknown): string[] {
  return given && typeof given === 'object' ? Object.keys(given).map((name) => `${where}.${name}`) : []
}
