import { OpenAPIHono } from '@hono/zod-openapi'
import { accountGateway, gatewayConfig } from '@svc/contract'
import type { GatewayPlace } from '@svc/db'
import * as verbs from '@svc/spend'
import type { AppEnv } from '../parts.ts'
import { wire } from './wire.ts'

const inProject = ({ project_id }: { project_id: string }): GatewayPlace => ({ scope: 'project', project_id })
const inAccount = ({ account_id }: { account_id: string }): GatewayPlace => ({ scope: 'account', account_id })

/** A project’s decisions about the models of its calls. */
export function gatewayRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(gatewayConfig.getGateway, async (c) =>
    c.json(wire(await verbs.getProjectGateway(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(gatewayConfig.updateGateway, async (c) => {
    const input = { ...c.req.valid('json'), ...c.req.valid('param') }
    return c.json(wire(await verbs.updateProjectGateway(c.var.ctx, input)), 200)
  })
  app.openapi(gatewayConfig.listGatewayModels, async (c) =>
    c.json(wire(await verbs.listGatewayModels(c.var.ctx, c.req.valid('param'))), 200),
  )
  app.openapi(gatewayConfig.listGatewayProviders, async (c) =>
    c.json(wire(await verbs.listProviders(c.var.ctx, inProject(c.req.valid('param')))), 200),
  )
  app.openapi(gatewayConfig.createGatewayProvider, async (c) => {
    const place = inProject(c.req.valid('param'))
    return c.json(wire(await verbs.createProvider(c.var.ctx, place, c.req.valid('json'))), 201)
  })
  app.openapi(gatewayConfig.updateGatewayProvider, async (c) => {
    const { slug, ...place } = c.req.valid('param')
    const input = { ...c.req.valid('json'), slug }
    return c.json(wire(await verbs.updateProvider(c.var.ctx, inProject(place), input)), 200)
  })
  app.openapi(gatewayConfig.deleteGatewayProvider, async (c) => {
    await verbs.removeProvider(c.var.ctx, inProject(c.req.valid('param')), c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(gatewayConfig.testGatewayProvider, async (c) =>
    c.json(await verbs.testProvider(c.var.ctx, inProject(c.req.valid('param')), c.req.valid('param')), 200),
  )
  app.openapi(gatewayConfig.addGatewayProviderKey, async (c) => {
    const { slug, ...place } = c.req.valid('param')
    const input = { ...c.req.valid('json'), slug }
    return c.json(wire(await verbs.addProviderKey(c.var.ctx, inProject(place), input)), 201)
  })
  app.openapi(gatewayConfig.removeGatewayProviderKey, async (c) => {
    await verbs.removeProviderKey(c.var.ctx, inProject(c.req.valid('param')), c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(gatewayConfig.listGatewayPrices, async (c) =>
    c.json(wire(await verbs.listPrices(c.var.ctx, inProject(c.req.valid('param')))), 200),
  )
  app.openapi(gatewayConfig.setGatewayPrice, async (c) => {
    const place = inProject(c.req.valid('param'))
    return c.json(wire(await verbs.setPrice(c.var.ctx, place, c.req.valid('json'))), 200)
  })
  app.openapi(gatewayConfig.removeGatewayPrice, async (c) => {
    await verbs.removePrice(c.var.ctx, inProject(c.req.valid('param')), c.req.valid('query'))
    return c.body(null, 204)
  })
  return app
}

/** The same for an account. */
export function accountGatewayRoutes() {
  const app = new OpenAPIHono<AppEnv>()
  app.openapi(accountGateway.getAccountGatewaySettings, async (c) =>
    c.json(wire(await verbs.getGatewaySettings(c.var.ctx, inAccount(c.req.valid('param')))), 200),
  )
  app.openapi(accountGateway.updateAccountGatewaySettings, async (c) => {
    const place = inAccount(c.req.valid('param'))
    return c.json(wire(await verbs.updateGatewaySettings(c.var.ctx, place, c.req.valid('json'))), 200)
  })
  app.openapi(accountGateway.listAccountGatewayProviders, async (c) =>
    c.json(wire(await verbs.listProviders(c.var.ctx, inAccount(c.req.valid('param')))), 200),
  )
  app.openapi(accountGateway.createAccountGatewayProvider, async (c) => {
    const place = inAccount(c.req.valid('param'))
    return c.json(wire(await verbs.createProvider(c.var.ctx, place, c.req.valid('json'))), 201)
  })
  app.openapi(accountGateway.updateAccountGatewayProvider, async (c) => {
    const { slug, ...place } = c.req.valid('param')
    const input = { ...c.req.valid('json'), slug }
    return c.json(wire(await verbs.updateProvider(c.var.ctx, inAccount(place), input)), 200)
  })
  app.openapi(accountGateway.deleteAccountGatewayProvider, async (c) => {
    await verbs.removeProvider(c.var.ctx, inAccount(c.req.valid('param')), c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(accountGateway.testAccountGatewayProvider, async (c) =>
    c.json(await verbs.testProvider(c.var.ctx, inAccount(c.req.valid('param')), c.req.valid('param')), 200),
  )
  app.openapi(accountGateway.addAccountGatewayProviderKey, async (c) => {
    const { slug, ...place } = c.req.valid('param')
    const input = { ...c.req.valid('json'), slug }
    return c.json(wire(await verbs.addProviderKey(c.var.ctx, inAccount(place), input)), 201)
  })
  app.openapi(accountGateway.removeAccountGatewayProviderKey, async (c) => {
    await verbs.removeProviderKey(c.var.ctx, inAccount(c.req.valid('param')), c.req.valid('param'))
    return c.body(null, 204)
  })
  app.openapi(accountGateway.listAccountGatewayPrices, async (c) =>
    c.json(wire(await verbs.listPrices(c.var.ctx, inAccount(c.req.valid('param')))), 200),
  )
  app.openapi(accountGateway.setAccountGatewayPrice, async (c) => {
    const place = inAccount(c.req.valid('param'))
    return c.json(wire(await verbs.setPrice(c.var.ctx, place, c.req.valid('json'))), 200)
  })
  app.openapi(accountGateway.removeAccountGatewayPrice, async (c) => {
    await verbs.removePrice(c.var.ctx, inAccount(c.req.valid('param')), c.req.valid('query'))
    return c.body(null, 204)
  })
  return app
}
