### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Enter
keys-esc = Esc
keys-sessions = ページにサインイン中の一覧
keys-sign-out = サインアウト
keys-tab = Tab
keys-space = Space
keys-backspace = Backspace
keys-delete = Delete
keys-insert = Insert
keys-home = Home
keys-end = End
keys-page-up = PgUp
keys-page-down = PgDn
keys-use-again = この言葉をまた使う
keys-with-ctrl = Ctrl+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Shift+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = { $first } のあと { $key }
keys-any-other = 他のキー

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = 推奨をすべて選び、確認へ
keys-ask-back = 聞き返す
keys-at-once = すぐ選択
keys-attach = 添付
keys-attach-copied = コピーした画像やファイルを添付
keys-attach-not = 戻る (貼り付けたパスは文字になる)
keys-attach-path = パスでファイルを添付
keys-back = 戻る
keys-back-to-text = 本文に戻る
keys-back-unsent = 送信せずに戻る
keys-caret = カーソル移動
keys-choose = 選択
keys-clear-filter = 全件表示
keys-close-paths = 入力のまま閉じる
keys-close-paths-short = 閉じる
keys-confirm-go = { $go ->
    [send] 確定して送信
    [keep] 確定して遅れた回答として保存
   *[on] 確定して次へ
}
keys-continue = 続ける
keys-copy-draft = コピー
keys-copy-question = 質問を Markdown でコピー
keys-decline = 辞退
keys-decline-reason = 理由を添えて辞退
keys-detach = 最後に添付したファイルを外す
keys-discard = 破棄してキャンセル
keys-done = 完了
keys-earlier-answer = 以前の回答を入力
keys-editor = エディターを開く
keys-editor-short = 編集
keys-erase = 前の文字を削除
keys-erase-line-end = 行末まで削除
keys-erase-next = 次の文字を削除
keys-erase-next-word = 次の単語を削除
keys-erase-word = 単語を削除
keys-escape = { $esc ->
    [cancel] 辞退
    [discard] 破棄 ...
    [all] 全件表示に戻す
   *[leave] 離れる (下書きは残る)
}
keys-escape-short = { $esc ->
    [cancel] 辞退
    [discard] 破棄 ...
    [all] 全件
   *[leave] 出る
}
keys-filter-asks = 絞込
keys-export = テキストをコピー
keys-field-rows = 上の行、下の行。先頭行からは一覧に戻る
keys-filter = 絞込
keys-first-last-ask = 最初、最後
keys-first-last-button = 最初の行、最後のボタン
keys-first-last-row = 最初の行、最後の行
keys-go = { $go ->
    [send] 送信
    [keep] 遅れた回答として保存
   *[on] 次へ
}
keys-go-short = { $go ->
    [send] 送信
    [keep] 保存
   *[on] 次へ
}
keys-go-to-question = その質問へ移動
keys-go-to-question-short = 移動
keys-hand-back = 元のクライアントのダイアログに戻す
keys-help = ヘルプ
keys-help-short = キー
keys-insert-path = { $files ->
    [none] 閉じる
   *[some] ファイルを挿入
}
keys-insert-path-short = { $files ->
    [none] 閉じる
   *[some] 挿入
}
keys-interrupt-card = ここで中断。2回で終了、質問は残る
keys-interrupt-dialog = 終了、質問は残る
keys-interrupt-field = 入力欄を出る
keys-interrupt-notice = 2回で終了、質問は残る
keys-keep-answering = 回答を続ける
keys-keep-answering-short = 続行
keys-leave-waiting = 保留する
keys-line-ends = 行頭、行末
keys-load-other = 他での入力を読み込む、自分の入力に戻す
keys-load-other-short = 読込
keys-mark = 選択のみ (次へ進まない)
keys-marked-button = 選択中のボタン
keys-more-time = 時間延長
keys-move = 移動
keys-mute = { $muted ->
    [yes] 通知をオン
   *[no] 通知をオフ
}
keys-new-line = 改行
keys-next-group = 次グループ
keys-no = いいえ
keys-note = メモ
keys-note-for-all = 全体メモ
keys-open = 開く
keys-or-letter = または文字で選択
keys-other = その他
keys-other-asks = 他の質問
keys-page = ページ
keys-preview = プレビュー、全画面
keys-preview-short = プレビュー
keys-quick-confirm = はい、いいえ、その他
keys-quick-select = { $digit ->
    [sends] すぐ送信
   *[marks] 直接選択
}
keys-quick-select-short = { $digit ->
    [sends] 送信
   *[marks] 選択
}
keys-quick-toggle = 直接切替
keys-quit = 終了 (質問は残る)
keys-quit-short = 終了
keys-read-all = 全文
keys-read-all-short = 全文
keys-recall = 以前の回答へ、戻る
keys-recommended = 推奨
keys-redraw = 画面を再描画
keys-scroll = 移動
keys-select = 選択
keys-send = 送信
keys-send-decline = 辞退してエージェントに伝える
keys-send-question = 質問を送信
keys-show-all = 全件表示に戻す
keys-show-all-short = 全件
keys-show-draft = 下書きを表示
keys-show-draft-short = 下書き
keys-snooze = 後回し
keys-stop-typing = { $esc ->
    [cancel] 辞退
   *[leave] 入力を終える (文字は残る)
}
keys-stop-typing-short = { $esc ->
    [cancel] 辞退
   *[leave] 完了
}
keys-suspend = 一時停止
keys-switch-tab = タブ切替
keys-switch-tab-short = 次へ
keys-take-back = 回答を取り消す
keys-to-filtered-asks = 一覧へ
keys-to-filtered = 絞り込んだ一覧へ
keys-to-list = 一覧
keys-toggle = 切替
keys-top-end = 先頭、末尾
keys-type = 入力
keys-types = 入力
keys-undo = 元に戻す、やり直す
keys-web = Web ページへのリンク
keys-words = 前の単語、次の単語
keys-yes = はい
keys-jump = 自由回答を書き始める

## The help page

keys-title = キー操作
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last }/{ $all }
keys-group-moving = 移動
keys-group-answering = 回答
keys-group-typing = 入力
keys-group-replying = 回答の代わりに
keys-group-looking = 詳しく見る
keys-group-leaving = 離れる

## History

keys-history = 履歴
keys-search = 検索
keys-filters = 条件
keys-copy-markdown = Markdown でコピー
keys-write-json = JSON 書き出し
keys-stats = 統計
keys-to-found = 一覧へ
keys-change = 変更
