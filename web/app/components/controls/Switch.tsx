/** A switch that takes effect at once. With isLabelHidden, only screen readers get the label. */
export function Switch({
  isOn,
  onChange,
  label,
  isLabelHidden = false,
  ...rest
}: {
  isOn: boolean
  onChange: (isOn: boolean) => void
  label: string
  isLabelHidden?: boolean
  id?: string
  disabled?: boolean
  'aria-describedby'?: string | undefined
}) {
  return (
    <span className="inline-flex items-center gap-2">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-label={label}
        onClick={() => onChange(!isOn)}
        className={`relative h-5 w-9 shrink-0 rounded-full border transition-colors disabled:opacity-55 ${
          isOn ? 'border-accent bg-accent' : 'border-edge bg-sunken'
        }`}
        {...rest}
      >
        <span
          className={`absolute top-[3px] h-3 w-3 rounded-full transition-[left] ${isOn ? 'left-[19px] bg-on-accent' : 'left-[3px] bg-edge'}`}
        />
      </button>
      {isLabelHidden ? null : <span aria-hidden="true">{label}</span>}
    </span>
  )
}
