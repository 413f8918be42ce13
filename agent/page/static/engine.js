// Describes the engine of the search: the compiled circuit, or the relational engine until the circuit is built.
import { count } from './dom.js'

// `state` has engine, building, missing, and `rate` in simulations per second. Returns '' for the circuit.
export function engineWords (state) {
  if (!state?.engine || state.engine === 'circuit') return ''
  const speed = typeof state.rate === 'number' ? `${state.rate < 10 ? state.rate.toFixed(1) : count(state.rate)} simulations/s` : ''
  if (state.building) return `The circuit of this game is being compiled. Until then the slower relational engine searches${speed && `: ${speed}`}.`
  if (state.missing) return `This game has no circuit (${state.missing}), so the search is slow${speed && `: ${speed}`}.`
  return `The relational engine searches${speed && `: ${speed}`}.`
}

export function rateOf ({ simulations, seconds }) {
  return typeof simulations === 'number' && seconds > 0 ? simulations / seconds : null
}
