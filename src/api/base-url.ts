import { type FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** How this caller reaches us, for the URLs in answers: `AERIE_PUBLIC_URL`, or else the address that was just used. */
    readonly baseUrl: string
  }
}

export function addBaseUrl(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorateRequest('baseUrl', {
    getter() {
      return publicUrl ?? `${this.protocol}://${this.host}`
    },
  })
}
