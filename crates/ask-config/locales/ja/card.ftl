### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = メモ
card-note = メモ:「{ $note }」
card-note-key = メモ:「{ $note }」  ({ $key } で編集)
card-no-note = メモ: なし
card-no-note-key = メモ: なし  ({ $key } で追加)
card-your-note-for-all = 全回答へのメモ
card-note-for-all = { $key }  全回答へのメモ:「{ $note }」
card-no-note-for-all = { $key }  全回答へのメモ: なし
card-filter = 絞込:
card-filter-count = { $shown }/{ $offered } 件
card-none-recommended = ここにはエージェントの推奨がありません。
card-none-recommended-at-all = 未回答の質問に推奨はありません。
card-earlier-answer = { $ago }前にこう回答しました: { $answer } ({ $key } で入力)
card-earlier-answer-narrow = { $key } で入力: { $answer }

## Copies

card-copied = コピーしました (ターミナルが対応していれば)。
card-too-long-to-copy = 長すぎてコピーできません。
card-not-answered = 未回答
card-note-beside = メモ: { $note }

## The review

card-review = 回答の確認
card-missing = ! 未回答
card-left-out = 未回答 (任意)
card-gaps = ! 未回答の質問が{ $count }件あります。必須: { $names }
card-button-send = { $count ->
    [0] 回答なしで送信
   *[other] { $count }件の回答を送信
}
card-button-anyway = { $count }件の回答だけで送信
card-button-anyway-short = { $count }件だけ送信
card-just-told = 時間切れがちょうどエージェントに伝えられています。もう一度送信すると回答が保存されます。
card-button-late = 遅れた回答として保存
card-button-late-anyway = { $count }件を遅れた回答として保存
card-button-late-anyway-short = { $count }件を保存
card-button-go-to = { $name } へ

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [画像: { $alt }]
card-image-unnamed = [画像]

card-yes-no = はい / いいえ
card-gone = もうありません。
# What a window shows of a long text.
card-lines = { $first }-{ $last } / { $total } 行
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (複数選択可)
   *[other] (複数選択可、{ $chosen }件選択)
}
card-optional = (任意)

## The rows of a question

card-yes = はい
card-no = いいえ
# Behind a label.
card-recommended = (推奨)
card-recommended-short = (推奨)
card-chosen = ✓ 選択
# Before what was typed and is not part of the answer.
card-kept = (保存済み・未選択) { $text }
card-your-answer = 回答
card-your-own-answer = 自由回答
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines }行, { $chars }
}
card-more-above = ↑ 他{ $count }件...
card-more-below = ↓ 他{ $count }件...
# On the frame of the list: where the cursor stands.
card-row-of = { $row }/{ $rows }

## What a choice would look like

card-preview = プレビュー: { $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = プレビュー
card-preview-none = プレビューなし
# Where there is no room for it. $key opens it.
card-preview-line = { $key } プレビュー ({ $lines }行)

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ あと{ $below }行 ({ $down ->
    [none] { $read } で全文
   *[other] { $down }、{ $read } で全文
})
card-prose-above = ↑ あと{ $above }行 ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ { $below } 行

## What is said above the hints

card-sending = 送信中 ...
card-reconnecting = 再接続中です。入力はそのまま続けられます。

## Who asks, and the tabs

card-asked = { $age }前に質問
card-waits = 回答待ち
card-waits-no-more = エージェントは待機終了
card-due = 期限
card-due-in = 残り{ $left }
card-link-down = 再接続中
card-draft-saved = 下書き保存 { $at }
card-submit = 送信
card-place = { $at }/{ $all }
card-tabs-given = 回答{ $given }件 →

## Where nothing fits

card-too-small = 画面が狭すぎます ({ $columns }x{ $rows }): { $least-columns }x{ $least-rows } 必要。{ $enter } で行モード

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = 入力内容を破棄しますか?
card-discard-nothing = この質問を離れますか?
card-discard-answers = 回答{ $given }件を破棄しますか?
card-discard-given = 質問{ $asked }件中{ $given }件に回答済みです。
card-agent-waits = エージェントはまだ待っています。
card-agent-stopped = エージェントは待機を終了しました。
card-discard-stay = 回答を続ける
card-discard-leave = 保留して下書きを残す
card-discard-leave-list = 保留して下書きを残し、一覧に戻る
card-discard-leave-short = 保留 (下書き保存)
card-discard-cancel = 破棄してキャンセルし、エージェントに伝える
card-discard-cancel-short = 破棄してキャンセル
card-discard-decline = 理由を添えて辞退 ...
card-discard-hand-back = クライアントのダイアログに戻す
card-handed-back = 戻しました: { $who } が自分のダイアログで質問します。
card-said-held = { $said }{ $key } で取り消せます。
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] { $cancel }、{ $decline }、{ $back } を選ぶまで何も送信されません。
   *[other] { $cancel } か { $decline } を選ぶまで何も送信されません。
}

## Declining, and asking back

card-decline = 辞退
card-decline-why = 理由は? エージェントに伝わります。空欄なら理由なし。
card-decline-hint = 理由
card-ask-back = 聞き返す
card-ask-back-what = 何を知りたいですか? 回答の代わりにエージェントへ送られます。
card-ask-back-hint = 聞きたいこと

## A long answer. $chars is a number, written out.

card-long = 長い回答
card-long-sure = 回答が長いです ({ $chars }文字)。続けますか? [Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = 未送信: { $why }.
card-filled-in-cut = 送信していません。プログラムが入力した内容がこの画面に収まりません。画面を広げるか、ページを使ってください。
card-not-sent-try-again = 未送信: { $why }. 回答はここに残っています。再度お試しを。
card-nothing-typed-yet = まだ入力がありません。回答を入力するか、辞退してください。
card-nothing-typed = 入力なし: もう一度 { $enter } で回答なしとして送信
card-somebody-first = 先に他で回答されました。何も送信していません。
card-closed-elsewhere = その質問は他で終了しました。何も送信していません。
card-no-longer-asked = 終了した質問
# $key is a key, as in Alt+Up.
card-words-kept = 入力内容は残っています。入力欄の { $key } で呼び戻せます。
card-words-printed = 入力内容は残っています。終了時に表示します。
card-too-soon = キーが早すぎたため何もしていません。入力内容は残っています。
card-your-draft = 下書き:
# $names are the questions where it differs.
card-draft-differs = ここの下書きは異なりました: { $names }
