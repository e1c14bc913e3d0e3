import { describe, expect, it } from 'vitest'
import { shapeNamed } from './shapeName'

describe('a file that is dropped', () => {
  it('belongs to the shape that its name has', () => {
    const shapes = ['jawOpen', 'mouthSmileLeft', 'mouthSmile_L', 'smile']
    expect(shapeNamed('anna-jawOpen-2k.png', shapes)).toBe('jawOpen')
    expect(shapeNamed('mouthSmile_L.webp', shapes)).toBe('mouthSmile_L')
    expect(shapeNamed('smiles.png', shapes)).toBeNull()
  })
})
