import { defineConfig } from 'tsup'
import { deployable } from '../../tsup.base.ts'

export default defineConfig(deployable())
