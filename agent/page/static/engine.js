// Describes the engine of the search: the compiled circuit, or the relational engine until the circuit is built.
import { count } from './dom.js'

// `told` has engine, building, missing, and `rate` in simulations per second. Returns '' for the circuit.
export function engineWords (told) {
  if (!told?.engine || told.engine === 'circuit') return ''
  const speed = typeof told.rate === 'number' ? `${told.rate < 10 ? told.rate.toFixed(1) : count(told.rate)} simulations/s` : ''
  if (told.building) return `The circuit of this game is being compiled. Until then the slower relational engine searches${speed && `: ${speed}`}.`
  if (told.missing) return `This game has no circuit (${told.missing}), so the search is slow${speed && `: ${speed}`}.`
  return `The relational engine searches${speed && `: ${speed}`}.`
}

export function rateOf ({ simulations, seconds }) {
  return typeof simulations === 'number' && seconds > 0 ? simulations / seconds : null
}
