import { Component, type ComponentChild, type FunctionComponent } from "preact";

/** Guarded shows what other draws in place of children that fail, and leaves the rest of the page alone. */
export class Guarded extends Component<{ other: (e: Error) => ComponentChild; children: ComponentChild }, { error?: Error }> {
  state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) { return { error }; }
  render(): ComponentChild { return this.state.error ? this.props.other(this.state.error) : this.props.children; }
}

/** memo draws a component again only when same says that its properties differ. */
export function memo<P extends object>(Inner: FunctionComponent<P>, same: (a: P, b: P) => boolean): FunctionComponent<P> {
  class Memo extends Component<P> {
    shouldComponentUpdate(next: P) { return !same(this.props as P, next); }
    render(): ComponentChild { return <Inner {...(this.props as P)} />; }
  }
  return Memo as unknown as FunctionComponent<P>;
}
