@test "usage" {
  run bin/backup
  [ "$status" -eq 2 ]
}
