import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { nextPageLink, PageQuery } from '../core/page.ts'
import {
  ByNode,
  ForgottenNode,
  NodeChange,
  NodeProcess,
  NodeRecord,
  NodesReport,
  toNodeProcess,
} from './nodes.schema.ts'
import { type NodeService } from './nodes.service.ts'

/** `/nodes`: the machines of this service, and what runs on which. */
export function nodeRoutes(nodes: NodeService): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['System']

    app.get(
      '/nodes',
      { schema: { tags, summary: 'List the nodes of this service', response: { 200: NodesReport } } },
      (request) => nodes.list(request.account),
    )

    app.get(
      '/nodes/:node/processes',
      {
        schema: {
          tags,
          summary: 'List what runs on a node: your processes, and those of your child keys',
          params: ByNode,
          querystring: PageQuery,
          response: { 200: z.array(NodeProcess) },
        },
      },
      async (request, reply) => {
        const { items, nextCursor } = await nodes.listProcesses(request.account, request.params.node, request.query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map(toNodeProcess)
      },
    )

    app.patch(
      '/nodes/:node',
      {
        schema: {
          tags,
          summary: 'Drain a node, or let it take processes again',
          params: ByNode,
          body: NodeChange,
          response: { 200: NodeRecord },
        },
      },
      (request) => nodes.setDraining(request.account, request.params.node, request.body.draining),
    )

    app.delete(
      '/nodes/:node',
      {
        schema: {
          tags,
          summary: 'Forget a node that is dead and will not come back',
          params: ByNode,
          response: { 200: ForgottenNode },
        },
      },
      async (request) => {
        const { node } = request.params
        await nodes.forget(request.account, node)
        return { node, deleted: true as const }
      },
    )
  }
}
