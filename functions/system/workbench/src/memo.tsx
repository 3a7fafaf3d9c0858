import { Component, type ComponentChild, type FunctionComponent } from "preact";

/** memo draws a component again only when same says that its properties differ. */
export function memo<P extends object>(Inner: FunctionComponent<P>, same: (a: P, b: P) => boolean): FunctionComponent<P> {
  class Memo extends Component<P> {
    shouldComponentUpdate(next: P) { return !same(this.props as P, next); }
    render(): ComponentChild { return <Inner {...(this.props as P)} />; }
  }
  return Memo as unknown as FunctionComponent<P>;
}
