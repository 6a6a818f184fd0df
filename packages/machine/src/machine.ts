/** State x event -> state. An event that a state does not name is refused there. */
type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

type Events<T extends Table> = { [State in keyof T]: keyof T[State] }[keyof T] & string

/** Every target is a state of the same table. */
type Closed<T extends Table> = { readonly [State in keyof T]: Readonly<Record<string, keyof T>> }

export interface Machine<State extends string, Event extends string> {
  readonly states: readonly State[]
  readonly events: readonly Event[]
  /** The state that `event` leads to. */
  to(event: Event): State
  /** The states that accept `event`: those that an UPDATE for it may start from. */
  from(event: Event): readonly State[]
  accepts(state: State, event: Event): boolean
}

export type StateOf<M> = M extends Machine<infer State, string> ? State : never
export type EventOf<M> = M extends Machine<string, infer Event> ? Event : never

/** Makes the machine of a table, in which each event leads to one state, whichever accepts it. */
export function machine<const T extends Table>(table: T & Closed<T>): Machine<keyof T & string, Events<T>> {
  const states = Object.keys(table)
  const arrows = new Map<string, { readonly to: string; readonly from: string[] }>()
  for (const [state, leads] of Object.entries<Readonly<Record<string, string>>>(table)) {
    for (const [event, to] of Object.entries(leads)) {
      const arrow = arrows.get(event)
      if (arrow && arrow.to !== to) throw new Error(`${event} leads to ${arrow.to} and to ${to}`)
      if (arrow) arrow.from.push(state)
      else arrows.set(event, { to, from: [state] })
    }
  }
  const arrowOf = (event: string) => {
    const arrow = arrows.get(event)
    if (arrow === undefined) throw new Error(`No state accepts ${event}`)
    return arrow
  }
  const untyped: Machine<string, string> = {
    states,
    events: [...arrows.keys()],
    to: (event) => arrowOf(event).to,
    from: (event) => arrowOf(event).from,
    accepts: (state, event) => arrowOf(event).from.includes(state),
  }
  // The names are those of `table`, which its type says and `Object.keys` does not.
  return untyped as Machine<keyof T & string, Events<T>>
}
