import type { Plugin } from 'vite'

export const FILE: string
export function sources(): Plugin
