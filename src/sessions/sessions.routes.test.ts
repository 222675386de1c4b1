import { fastify } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { createKnownCredentials } from '../core/known-credentials.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { type SessionService } from './sessions.service.ts'

test('a browser that has signed in need not wait with strangers at the next request', async () => {
  const signedIn = { account: { id: 'bob-id', username: 'bob', masterId: null }, secret: 'se_new', expiresAt: 0 }
  const sessions = { lifeSeconds: 60, signInByKey: async () => signedIn } as unknown as SessionService
  const knownCredentials = createKnownCredentials()
  const app = fastify()
  app.decorateRequest('baseUrl', 'http://localhost')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(sessionRoutes({ sessions, knownCredentials }))
  const { statusCode } = await app.inject({ method: 'POST', url: '/session', body: { api_key: 'ak_bob' } })
  expect(statusCode).toBe(201)
  expect(knownCredentials.ownerOf('se_new')).toBe('bob-id')
  await app.close()
})
