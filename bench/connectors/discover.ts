import { z } from 'zod'
import { createDiscover } from '../../packages/connector/src/discover.ts'
import { timed } from '../measure.ts'
import { type Times, timesOf } from './figures.ts'
import type { Place } from './place.ts'
import { manyTools, queries } from './tools.ts'

export interface DiscoverFigures {
  readonly actions: number
  /** `GET /v1/projects/{project_id}/connector-catalog` over a connection that stays open. */
  readonly route: Times
  /** The search alone, in an index that is there. */
  readonly search: Times
  /** The route's first search after a look at the service. */
  readonly first: Times
}

const Found = z.object({ tools: z.array(z.object({ tool: z.string() })) })

/** Searches of an agent in 5,000 actions through the whole API, beside the search in an index alone, in turns. */
export async function measureDiscover(
  place: Place,
  searches: number,
  looks: number,
): Promise<DiscoverFigures> {
  const path = `/projects/${place.project_id}/connector-catalog`
  const ask = async (query: string) => {
    const { body } = await place.agent('GET', `${path}?${new URLSearchParams({ query })}`)
    return Found.parse(body).tools.length
  }
  if ((await ask(queries[0] ?? '')) !== 20) throw new Error('The tools of the connector are not found')
  const search = createDiscover(
    manyTools.map(({ name: action, title, description }) => ({
      ...{ connector: 'many', action, title, description, risk: 'read' as const },
    })),
  )
  const times = { route: new Array<number>(), search: new Array<number>(), first: new Array<number>() }
  for (let n = -queries.length; n < searches; n += 1) {
    const query = queries[Math.abs(n) % queries.length] ?? ''
    const route = await timed(() => ask(query))
    const alone = await timed(async () => search(query))
    if (n < 0) continue
    times.route.push(route)
    times.search.push(alone)
  }
  for (let look = 0; look < looks; look += 1) {
    const { status } = await place.person('POST', `/projects/${place.project_id}/connectors/many/sync`)
    if (status !== 200) throw new Error(`The look at the service was answered with ${status}`)
    times.first.push(await timed(() => ask(queries[look % queries.length] ?? '')))
  }
  return {
    actions: manyTools.length,
    ...{ route: timesOf(times.route), search: timesOf(times.search), first: timesOf(times.first) },
  }
}
