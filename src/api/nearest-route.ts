import { type FastifyInstance } from 'fastify'
import { wrongLetters } from '../core/nearest-word.ts'

/** Further parts of a path are nobody's slip. */
const MAX_PARTS = 6

interface Route {
  readonly method: string
  /** As the documentation writes it: `/process/{process_uuid}/stop`. */
  readonly path: string
}

/** Remembers every documented route that is added. What it returns finds the one that was probably meant. */
export function addNearestRoute(app: FastifyInstance): (method: string, path: string) => string | undefined {
  const routes: Route[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide || url.includes('*')) return
    const path = url.replace(/:(\w+)/g, '{$1}')
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, path })
  })
  return (method, path) => nearestRoute(routes, method, path)
}

/** Where two are as near, the one with the same method and as many parts. */
export function nearestRoute(routes: readonly Route[], method: string, path: string): string | undefined {
  const parts = partsOf(path)
  if (parts.length === 0 || parts.length > MAX_PARTS) return undefined
  let nearest: Route | undefined
  let minDistance = Infinity
  for (const route of routes) {
    const wanted = partsOf(route.path)
    const wrong = wrongLetters(wordsOf(parts, wanted), wordsOf(wanted, wanted))
    if (wrong === undefined) continue
    const distance = wrong + Math.abs(wanted.length - parts.length) / 2 + (route.method === method ? 0 : 1)
    if (distance >= minDistance) continue
    nearest = route
    minDistance = distance
  }
  return nearest && `${nearest.method} ${nearest.path}`
}

const partsOf = (path: string) => path.split('/').filter(Boolean)
const isParameter = (part: string | undefined) => part?.startsWith('{') ?? false

/** What is left of a path without the parts that stand where a route has parameters. */
function wordsOf(parts: readonly string[], wanted: readonly string[]): string {
  return parts.filter((_, index) => !isParameter(wanted[index])).join('/')
}
