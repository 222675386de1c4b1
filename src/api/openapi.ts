import swagger from '@fastify/swagger'
import { type FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { type OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import { API_VERSION } from '../core/version.ts'
import { Problem } from './problem.ts'

const description = `
Video comes in, a *process* runs object detection and tracking on it, results go out.

Send your key in the header \`api_key\`. Errors are RFC 9457 problem details with a stable \`code\`; see [/errors](/errors).
`

/** The OpenAPI document, made from the same schemas that validate. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  const transform = createJsonSchemaTransform({})
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Aerie',
        version: API_VERSION,
        description: description.trim(),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          api_key: { type: 'apiKey', in: 'header', name: 'api_key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
      security: [{ api_key: [] }, { bearer: [] }],
    },
    transform: (input) => {
      // What is read piece by piece is not validated as one; the document shows it all the same.
      const body = input.route.config?.documentedBody
      return transform(body ? { ...input, schema: { ...input.schema, body } } : input)
    },
    transformObject: (document) =>
      ('openapiObject' in document
        ? withProblems(document.openapiObject as OpenAPIV3_1.Document)
        : document.swaggerObject) as never,
  })
}

/** Every operation can fail in the same shape. */
function withProblems(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const schema = z.toJSONSchema(Problem, { target: 'draft-2020-12' }) as OpenAPIV3_1.SchemaObject
  const problem = {
    description: 'What went wrong',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[]) {
      if (operation.responses) operation.responses['default'] = problem
    }
  }
  return {
    ...document,
    components: { ...document.components, schemas: { ...document.components?.schemas, Problem: schema } },
  }
}
