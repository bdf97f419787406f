{{- define "patchbay.labels" -}}
app.kubernetes.io/name: patchbay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "patchbay.selector" -}}
app.kubernetes.io/name: patchbay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "patchbay.tokenSecret" -}}
{{- default (printf "%s-token" .Release.Name) .Values.token.existingSecret -}}
{{- end }}

{{- define "patchbay.probe" -}}
httpGet:
  path: /healthz
  port: http
  httpHeaders:
    - name: Host
      value: localhost
{{- end }}
