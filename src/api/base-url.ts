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
      // A proxy may pass on whatever a client calls its protocol; the host has been checked.
      return publicUrl ?? `${this.protocol === 'https' ? 'https' : 'http'}://${this.host}`
    },
  })
}
