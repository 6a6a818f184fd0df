import { packageSdk } from './package-sdk.ts'

const out = process.argv[2] ?? 'dist'
await packageSdk(out)
console.log(`Written to ${out}: npm publish ${out}`)
