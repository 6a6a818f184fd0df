import { openTracing } from '@svc/boot'
import { benchLog, serveApi } from '../serve-api.ts'

const [folder = '', database_url = '', merges = '', collector = ''] = process.argv.slice(2)
const endpoint = collector === '' ? undefined : collector
// The exporter reads it by itself.
if (endpoint !== undefined) process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint
const tracing = await openTracing({ service: 'api', version: '0', endpoint, log: benchLog })
await serveApi({ folder, database_url, tracing, ...(merges === '' ? {} : { merges: Number(merges) }) })
