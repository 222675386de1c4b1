import { Readable } from 'node:stream'
import { type FastifyReply } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { queryFlag } from '../../core/request-fields.ts'
import { goneSignal } from '../../http/gone-signal.ts'
import { type EvidenceService } from './evidence.service.ts'

const MAX_CLIPS = 50

const EvidenceQuery = z.object({
  clip_uuid: z
    .string()
    .transform((text) => text.split(',').map((id) => id.trim()))
    .pipe(z.array(z.uuid()).min(1).max(MAX_CLIPS))
    .describe(`The clips, by their ids with commas between them: up to ${MAX_CLIPS}.`),
  reports: queryFlag
    .optional()
    .describe(
      '`false`: without what was seen in the time of the clips, which needs the right `events` on their sources.',
    ),
  alias: z.string().trim().min(1).max(200).optional().describe('What the package is called; part of its file name.'),
})

const EvidenceKey = z.object({
  algorithm: z.literal('Ed25519'),
  public_key: z.string().describe('PEM: what `aerie verify --key` takes.'),
  fingerprint: z.string().describe('SHA-256 of the key as DER, in hexadecimal digits.'),
})

const packageAnswer = {
  description: 'A zip with a signed manifest; `aerie verify` says whether anything in it was changed',
  content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } },
}

/** `/evidence`: clips and what was seen in them, signed; and the key to check that with. */
export function evidenceRoutes(evidence: EvidenceService): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Evidence']

    app.get(
      '/evidence_key',
      {
        config: { isPublic: true },
        schema: {
          tags,
          summary: 'The public key that packages of evidence are signed with',
          security: [],
          response: { 200: EvidenceKey },
        },
      },
      async () => {
        const { pem, fingerprint } = evidence.publicKey
        return { algorithm: 'Ed25519' as const, public_key: pem, fingerprint }
      },
    )

    app.get(
      '/evidence',
      {
        config: { isStream: true },
        schema: {
          tags,
          summary: 'Pack clips and what was seen in them, so that nobody can change them unnoticed',
          description:
            'A zip, sent while it is made: with the reports of the processes that were on the sources of the clips in their time, with settings, versions, and a signed list of all files. The connection is cut when a clip is deleted meanwhile.',
          querystring: EvidenceQuery,
          response: { 200: packageAnswer },
        },
      },
      async (request, reply) => {
        const { clip_uuid: clipIds, reports: withReports = true, alias } = request.query
        const wanted = { clipIds, withReports, alias }
        const { fileName, pieces } = await evidence.open(request.account, wanted, goneSignal(reply))
        return sendPackage(reply, fileName, pieces)
      },
    )
  }
}

/** Made only as fast as the client takes it. */
function sendPackage(reply: FastifyReply, fileName: string, pieces: AsyncIterable<Buffer>): FastifyReply {
  reply.header('cache-control', 'no-store').header('content-disposition', attachment(fileName))
  return reply.type('application/zip').send(Readable.from(pieces, { objectMode: false }))
}

/** A name may have letters that headers have not (RFC 6266 §4.3). */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w.-]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName)}`
}
