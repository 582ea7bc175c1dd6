export default function About() {
  return <a href="items/2?from=about">The second item, seen from here</a>
}
