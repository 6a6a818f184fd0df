import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { ReverseProxy } from '../proxy/reverse-proxy.ts'
import type { SvcEnv } from '../serving/access.ts'
import type { Host } from '../serving/daemon-server.ts'

const ownPath = /^\/svc(\/|\?|$)/

/** The daemon's own routes, and the proxy for everything else. */
export function hostOf(parts: { readonly app: Hono<SvcEnv>; readonly proxy: ReverseProxy }): Host {
  const { app, proxy } = parts
  const own = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return {
    answer: (request, response) =>
      ownPath.test(request.url ?? '/') ? own(request, response) : proxy.web(request, response),
    upgrade: (request, socket, head) => proxy.upgrade(request, socket, head),
  }
}
