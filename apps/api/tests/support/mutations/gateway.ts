import { aProvider } from '../objects.ts'
import { ask, inAccount, inProject, type Prepare, some, type Stage } from './prepare.ts'

const newProvider: Prepare = async () => ({ body: { ...aProvider, slug: some(), models: null } })

const providerIn =
  (placeOf: (stage: Stage) => string): Prepare =>
  async (stage) => {
    const { body } = await newProvider(stage)
    const path = `${placeOf(stage)}/gateway/providers`
    const made = await ask(stage, 'POST', path, { ...body, api_key: 'sk-0123456789ab' })
    return { ids: { slug: made.pick('slug'), key_id: made.pick('keys.0.key_id') } }
  }

const priceIn =
  (placeOf: (stage: Stage) => string): Prepare =>
  async (stage) => {
    const price = { model: 'acme/great', card: { input: 1, output: 2 } }
    await ask(stage, 'PUT', `${placeOf(stage)}/gateway/prices`, price)
    return {}
  }

function inPlaces(word: string, provider: Prepare, price: Prepare): Readonly<Record<string, Prepare>> {
  return {
    ...{ [`update${word}GatewayProvider`]: provider, [`delete${word}GatewayProvider`]: provider },
    ...{ [`add${word}GatewayProviderKey`]: provider, [`remove${word}GatewayProviderKey`]: provider },
    [`remove${word}GatewayPrice`]: price,
  }
}

/** Providers and prices of a project and of an account. */
export const gatewayMutations: Readonly<Record<string, Prepare>> = {
  ...{ createGatewayProvider: newProvider, createAccountGatewayProvider: newProvider },
  ...inPlaces('', providerIn(inProject), priceIn(inProject)),
  ...inPlaces('Account', providerIn(inAccount), priceIn(inAccount)),
}
