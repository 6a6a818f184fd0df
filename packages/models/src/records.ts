/** Words and shapes of what is kept of calls, for those who only describe it: nothing here asks a model. */
export { callStatuses } from './calls/call-machine.ts'
export { PriceCard } from './prices/card.ts'
