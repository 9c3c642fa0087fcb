### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Enter
keys-esc = Esc
keys-sessions = wer auf der Webseite angemeldet ist
keys-sign-out = abmelden
keys-tab = Tab
keys-space = Leertaste
keys-backspace = Rücktaste
keys-delete = Entf
keys-insert = Einfg
keys-home = Pos1
keys-end = Ende
keys-page-up = Bild↑
keys-page-down = Bild↓
keys-use-again = diese Worte wieder verwenden
keys-with-ctrl = Strg+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Umschalt+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = { $first }, dann { $key }
keys-any-other = jede andere Taste

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = alles Empfohlene, dann prüfen
keys-ask-back = rückfragen
keys-at-once = sofort
keys-attach = anhängen
keys-attach-copied = kopiertes Bild oder Datei anhängen
keys-attach-not = zurück; ein eingefügter Pfad wird Text
keys-attach-path = Datei über ihren Pfad anhängen
keys-back = zurück
keys-back-to-text = zurück zum Text
keys-back-unsent = zurück, nichts wird gesendet
keys-caret = Cursor bewegen
keys-choose = wählen
keys-clear-filter = alle zeigen
keys-close-paths = schließen, wie es getippt ist
keys-close-paths-short = zu
keys-confirm-go = { $go ->
    [send] bestätigen und senden
    [keep] bestätigen und als späte Antwort behalten
   *[on] bestätigen und weiter
}
keys-continue = weiter
keys-copy-draft = kopieren
keys-copy-question = Frage als Markdown kopieren
keys-decline = ablehnen
keys-decline-reason = mit Begründung ablehnen
keys-detach = zuletzt angehängte Datei entfernen
keys-discard = verwerfen und abbrechen
keys-done = fertig
keys-earlier-answer = deine frühere Antwort eintragen
keys-editor = Editor öffnen
keys-editor-short = Editor
keys-erase = Zeichen davor löschen
keys-erase-line-end = bis zum Zeilenende löschen
keys-erase-next = Zeichen danach löschen
keys-erase-next-word = nächstes Wort löschen
keys-erase-word = Wort löschen
keys-escape = { $esc ->
    [cancel] ablehnen
    [discard] verwerfen ...
    [all] wieder alle zeigen
   *[leave] verlassen (Entwurf bleibt)
}
keys-escape-short = { $esc ->
    [cancel] ablehnen
    [discard] verwerfen ...
    [all] alle
   *[leave] raus
}
keys-filter-asks = filtern
keys-export = Text kopieren
keys-field-rows = Zeile darüber, darunter; von der ersten zurück zur Liste
keys-filter = filtern
keys-first-last-ask = erste, letzte
keys-first-last-button = erste Zeile, letzter Knopf
keys-first-last-row = erste, letzte Zeile
keys-go = { $go ->
    [send] senden
    [keep] als späte Antwort behalten
   *[on] weiter
}
keys-go-short = { $go ->
    [send] senden
    [keep] behalten
   *[on] weiter
}
keys-go-to-question = zu dieser Frage
keys-go-to-question-short = gehe zu
keys-hand-back = zurück an den Dialog des Clients, falls die Frage von dort kam
keys-help = Hilfe
keys-help-short = Tasten
keys-insert-path = { $files ->
    [none] schließen
   *[some] Datei einfügen
}
keys-insert-path-short = { $files ->
    [none] zu
   *[some] einfügen
}
keys-interrupt-card = hier aufhören; zweimal beendet (Fragen warten weiter)
keys-interrupt-dialog = beenden (Fragen warten weiter)
keys-interrupt-field = Feld verlassen
keys-interrupt-notice = zweimal beendet (Fragen warten weiter)
keys-keep-answering = weiter antworten
keys-keep-answering-short = weiter
keys-leave-waiting = warten lassen
keys-line-ends = Zeilenanfang, Zeilenende
keys-load-other = anderswo Getipptes laden, oder wieder deins
keys-load-other-short = laden
keys-mark = markieren, ohne weiterzugehen
keys-marked-button = der markierte Knopf
keys-more-time = mehr Zeit
keys-move = bewegen
keys-mute = { $muted ->
    [yes] Meldungen wieder an
   *[no] Meldungen stumm
}
keys-new-line = neue Zeile
keys-next-group = nächste Gruppe
keys-no = nein
keys-note = Notiz
keys-note-for-all = Notiz zu allen
keys-open = öffnen
keys-or-letter = oder der Buchstabe wählt
keys-other = anderes
keys-other-asks = andere Fragen
keys-page = Seite
keys-preview = Vorschau, ganzer Schirm
keys-preview-short = Vorschau
keys-quick-confirm = ja, nein, anderes
keys-quick-select = { $digit ->
    [sends] sofort senden
   *[marks] direkt wählen
}
keys-quick-select-short = { $digit ->
    [sends] senden
   *[marks] wählen
}
keys-quick-toggle = direkt an/aus
keys-quit = beenden (Fragen warten weiter)
keys-quit-short = Ende
keys-read-all = alles lesen
keys-read-all-short = lesen
keys-recall = frühere Antworten, wieder zurück
keys-recommended = Empfohlenes
keys-redraw = Bildschirm neu zeichnen
keys-scroll = scrollen
keys-select = wählen
keys-send = senden
keys-send-decline = ablehnen, der Agent erfährt es
keys-send-question = deine Frage senden
keys-show-all = wieder alle zeigen
keys-show-all-short = alle
keys-show-draft = meinen Entwurf zeigen
keys-show-draft-short = Entwurf
keys-snooze = später
keys-stop-typing = { $esc ->
    [cancel] ablehnen
   *[leave] nicht mehr tippen (Text bleibt)
}
keys-stop-typing-short = { $esc ->
    [cancel] ablehnen
   *[leave] fertig
}
keys-suspend = anhalten
keys-switch-tab = Reiter wechseln
keys-switch-tab-short = weiter
keys-take-back = Antwort zurücknehmen
keys-to-filtered-asks = zur Liste
keys-to-filtered = zur Liste, gefiltert
keys-to-list = Liste
keys-toggle = an/aus
keys-top-end = Anfang, Ende
keys-type = tippen
keys-types = wird getippt
keys-undo = rückgängig, wiederholen
keys-web = ein Link zur Webseite
keys-words = Wort zurück, Wort vor
keys-yes = ja
keys-jump = beginnt deine eigene Antwort

## The help page

keys-title = Tasten hier
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last } von { $all }
keys-group-moving = Bewegen
keys-group-answering = Antworten
keys-group-typing = Tippen
keys-group-replying = Statt einer Antwort
keys-group-looking = Mehr sehen
keys-group-leaving = Verlassen

## History

keys-history = Verlauf
keys-search = suchen
keys-filters = Filter
keys-copy-markdown = als Markdown kopieren
keys-write-json = JSON exportieren
keys-stats = Statistik
keys-to-found = zur Liste
keys-change = ändern
