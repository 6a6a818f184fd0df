import { createRoute, z } from '@hono/zod-openapi'
import type { AccessRule } from '@svc/access'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { BudgetId, SpendAccept } from '../kit/parameters.ts'
import type { PlaceOfRoutes } from '../kit/place-of-routes.ts'
import { Budget, CreateBudget, Spend, UpdateBudget } from './records.ts'

interface BudgetPlace<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Write extends AccessRule,
> extends PlaceOfRoutes<Base, Params, Read, Write> {
  /** The levels of its budgets, in words. */
  readonly levels: string
}

/** A place whose spend is read. */
interface SpendPlace<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Group extends string,
> extends Omit<PlaceOfRoutes<Base, Params, Read, Read>, 'write'> {
  readonly groups: readonly Group[]
}

/** The budgets of a place. */
export function budgetRoutes<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Write extends AccessRule,
>({ base, params, tag, word, of, read, write, levels }: BudgetPlace<Base, Params, Read, Write>) {
  const path = `${base}/budgets` as const
  const common = { tags: [tag] }
  const PlaceParams = z.object(params)
  const OneParams = z.object({ ...params, budget_id: BudgetId })
  return {
    list: createRoute({
      ...common,
      ...reachedBy(read),
      operationId: `list${word}GatewayBudgets`,
      summary: `List the budgets of ${of}`,
      description: 'With what is spent and held in each window that has not ended.',
      method: 'get',
      path,
      request: { params: PlaceParams },
      responses: {
        200: json(z.object({ budgets: z.array(Budget) }), 'The budgets, the oldest first'),
        ...refusals(400, 403, 404),
      },
    }),
    create: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `create${word}GatewayBudget`,
      summary: `Set a budget of ${of}`,
      description: `${levels} It holds from the next call; what was spent before it counts for nothing. A second one of the same level, subject, period and mode, and one above 200, are 409 \`conflict\`.`,
      method: 'post',
      path,
      request: {
        params: PlaceParams,
        body: body(
          CreateBudget.openapi(`Create${word}GatewayBudget`, {
            example: word === 'Account' ? examples.createAccountBudget : examples.createBudget,
          }),
        ),
      },
      responses: { 201: json(Budget, 'The budget'), ...refusals(400, 403, 404, 409, 415) },
    }),
    update: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `update${word}GatewayBudget`,
      summary: `Change a budget of ${of}`,
      description:
        'What is left out stays. A raised cap lets the next call through; one below what is spent blocks, and changes nothing that was.',
      method: 'patch',
      path: `${path}/{budget_id}`,
      request: {
        params: OneParams,
        body: body(UpdateBudget.openapi(`Update${word}GatewayBudget`, { example: examples.updateBudget })),
      },
      responses: { 200: json(Budget, 'As it is now'), ...refusals(400, 403, 404, 409, 415) },
    }),
    remove: createRoute({
      ...common,
      ...reachedBy(write),
      operationId: `delete${word}GatewayBudget`,
      summary: `Remove a budget of ${of}`,
      description: 'It bounds no call any more, also none that runs.',
      method: 'delete',
      path: `${path}/{budget_id}`,
      request: { params: OneParams },
      responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404) },
    }),
  }
}

const Instant = z.union([z.iso.date(), Timestamp])

/** The spend of a place. */
export function spendRoute<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Group extends string,
>({ base, params, tag, word, of, read, groups }: SpendPlace<Base, Params, Read, Group>) {
  const known = new Set<string>(groups)
  const group_by = z
    .string()
    .max(200)
    .default('day')
    .refine(
      (list) => list.split(',').every((name) => known.has(name)),
      `must be some of ${groups.join(', ')}`,
    )
    .openapi({ description: `Some of ${groups.join(', ')}, with commas between them`, example: 'day,model' })
  return createRoute({
    tags: [tag],
    ...reachedBy(read),
    operationId: `get${word}GatewaySpend`,
    summary: `What ${of} spent on models`,
    description:
      'Whole days of UTC: 31 until today unless you say others, at most 366. With `Accept: text/csv`, or `format=csv`, ' +
      'the rows as CSV, with `cost_usd`. More than 10,000 rows are 400.',
    method: 'get',
    path: `${base}/spend`,
    request: {
      params: z.object(params),
      headers: z.object({ accept: SpendAccept }),
      query: z.object({
        group_by,
        since: Instant.optional().openapi({ description: 'The first day, as a date or an instant in it' }),
        until: Instant.optional().openapi({
          description: 'The last day, as a date, or the instant before which it ends',
        }),
        format: z.enum(['json', 'csv']).optional().openapi({ description: 'Goes before `Accept`' }),
      }),
    },
    responses: {
      200: {
        description: 'The sums, by the groups in their order',
        content: {
          'application/json': { schema: Spend },
          'text/csv': { schema: z.string(), example: examples.spendCsv },
        },
      },
      ...refusals(400, 403, 404),
    },
  })
}
