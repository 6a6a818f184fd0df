import { migrate } from '../../src/index.ts'
import { marked } from './marked.ts'

/** A migration in a process of its own, which a test may kill. */
const [connection_string = ''] = process.argv.slice(2)
console.log(JSON.stringify(await migrate(connection_string, { migrations: marked })))
