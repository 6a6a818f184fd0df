import { budgets } from '@svc/db'
import { type AskedPlace, type Asking, enterPlace } from './place.ts'

/** The budgets of a project, or of an account itself, with what is spent and held in each. */
export async function listBudgets(ctx: Asking, asked: AskedPlace) {
  const place = await enterPlace(ctx, asked, 'project.gateway.spend.read')
  return { budgets: await budgets.list(ctx.db, place) }
}
