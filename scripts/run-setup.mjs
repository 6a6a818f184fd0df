import { setUp, setUpPackages } from './setup.mjs'

if (process.argv.includes('--packages-only')) setUpPackages()
else setUp()
