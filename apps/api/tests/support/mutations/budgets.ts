import { inAccount, inProject, type Prepare, some, type Stage } from './prepare.ts'

/** Budgets that are no twins of those before: a trigger's of its own, and in an account the only one. */
export const budgetMutations: Readonly<Record<string, Prepare>> = {
  createGatewayBudget: async () => ({ body: { subject: some() } }),
  ...{ updateGatewayBudget: ownBudget, deleteGatewayBudget: ownBudget },
  createAccountGatewayBudget: async (stage) => {
    await removeAll(stage)
    return {}
  },
  ...{ updateAccountGatewayBudget: accountBudget, deleteAccountGatewayBudget: accountBudget },
}

async function ownBudget(stage: Stage) {
  const path = `${inProject(stage)}/gateway/budgets`
  return { ids: { budget_id: await make(stage, path, { level: 'trigger', subject: some() }) } }
}

async function accountBudget(stage: Stage) {
  await removeAll(stage)
  return { ids: { budget_id: await make(stage, ofAccount(stage), { level: 'account' }) } }
}

async function make({ platform }: Stage, path: string, of: object): Promise<string> {
  const json = { ...of, period: 'day', cap_micros: 1 }
  return (await platform.call(path, { method: 'POST', token: platform.owner.token, json })).pick('budget_id')
}

async function removeAll(stage: Stage): Promise<void> {
  const { call, owner } = stage.platform
  const { budgets } = Object((await call(ofAccount(stage), { token: owner.token })).body)
  for (const { budget_id } of budgets)
    await call(`${ofAccount(stage)}/${budget_id}`, { method: 'DELETE', token: owner.token })
}

const ofAccount = (stage: Stage) => `${inAccount(stage)}/gateway/budgets`
