import type { Plugin } from 'vite'

export const FILE: string
export function licenses(): { page: Plugin; worker: Plugin }
